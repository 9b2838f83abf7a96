/**
 * One of the drawings in /devices. All share a frame of 400 by 360, with the ground a device stands on 22 units
 * above the lower edge. The name stands beside it almost everywhere, so it is silent unless `alt` speaks.
 *
 * @param device the drawing's file name, without its ending
 * @param loading "lazy" unless the drawing is in view when the page opens; "first" asks for it before the rest
 */
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
  // React 18 knows the attribute by neither spelling; in lower case it passes it on without complaint.
  const priority = loading === "first" ? { fetchpriority: "high" } : {};
  return (
    <img
      src={`/devices/${device}.svg`}
      alt={alt}
      width="400"
      height="360"
      loading={loading === "lazy" ? "lazy" : "eager"}
      decoding="async"
      {...priority}
      className={`h-auto max-w-none ${className}`}
    />
  );
}
