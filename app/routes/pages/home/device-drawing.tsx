import { highPriority } from "#app/features/listings/listing-picture.tsx";

/** A drawing from /devices, decorative unless `alt` is set. "first" loads it with high priority. */
export function DeviceDrawing({
  device,
  alt = "",
  loading = "lazy",
  className = "",
}: {
  device: string;
  alt?: string;
  loading?: "first" | "eager" | "lazy";
  className?: string;
}) {
  return (
    <img
      src={`/devices/${device}.svg`}
      alt={alt}
      width="400"
      height="360"
      loading={loading === "lazy" ? "lazy" : "eager"}
      decoding="async"
      {...(loading === "first" && highPriority)}
      className={`h-auto max-w-none ${className}`}
    />
  );
}
