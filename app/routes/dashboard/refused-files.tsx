/** An error for each photo that was rejected, and the number of photos added. */
export function RefusedFiles({
  answer,
}: {
  answer: { refused: { name: string; text: string }[]; added: number } | undefined;
}) {
  if (!answer?.refused.length) return null;
  const { refused, added } = answer;
  return (
    <div role="alert" className="mb-6 rounded-box border border-error bg-error/5 px-4 py-3">
      {added > 0 && <p>{added === 1 ? "1 photo was added." : `${added} photos were added.`}</p>}
      <ul className="font-medium text-error">
        {refused.map(({ name, text }, index) => (
          <li key={index} className="wrap-anywhere">
            {name && `${name}: `}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
