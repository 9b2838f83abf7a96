import { useLocation, useNavigation } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { deviceName } from "../listings/device-variant.rules.ts";
import type { BookedDevice } from "./booking-form.tsx";

const BookingPreview = lazy(() =>
  import("./booking-form.tsx").then(
    ({ BookingPreview }) => ({ default: BookingPreview }),
    () => ({ default: () => null }),
  ),
);

/**
 * Opens the dialog of a booking at once, with what the page shows of the device. Once the browser has nothing to do, it
 * loads the scripts of the dialog: a booking then waits for its data alone.
 *
 * @param closeTo the URL of the page
 */
export function PendingBooking({ devices, closeTo }: { devices: BookedDevice[]; closeTo: string }) {
  const isIdle = useIdle();
  const { pathname } = useLocation();
  const { state, location } = useNavigation();
  // Where its form is open already, only data load again.
  const isOpening = state === "loading" && location.pathname !== pathname;
  const id = isOpening ? /([^/]+)\/book$/.exec(location.pathname)?.[1] : undefined;
  const device = devices.find((one) => one.id === id);
  return (
    (isIdle || device) && (
      <Suspense>
        <BookingPreview device={device && { ...device, name: deviceName(device) }} closeTo={closeTo} />
      </Suspense>
    )
  );
}

/** Whether the browser has had nothing to do since the page was hydrated. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const note = () => setIdle(true);
    // Safari does not say when it is.
    if (!window.requestIdleCallback) {
      const timer = setTimeout(note, 1000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(note);
    return () => cancelIdleCallback(request);
  }, []);
  return isIdle;
}
