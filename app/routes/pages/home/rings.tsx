const radii = [232, 276, 332, 402, 488];

export function Rings({ className = "" }: { className?: string }) {
  return (
    <svg
      viewBox="-500 -500 1000 1000"
      aria-hidden="true"
      className={`pointer-events-none absolute max-w-none ${className}`}
    >
      <circle r="190" className="fill-accent" />
      {radii.map((radius) => (
        <circle
          key={radius}
          r={radius}
          fill="none"
          strokeWidth="1.5"
          className="stroke-base-content opacity-12"
        />
      ))}
    </svg>
  );
}
