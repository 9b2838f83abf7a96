const focusable = ":is(a[href], button, input:not([type=hidden]), select, textarea, summary):not(:disabled)";

/**
 * Remembers where an element stands in the page. The function it returns focuses the element or, once it is gone, what
 * has taken its place: the row that has moved up, the link that is left on a card.
 *
 * @returns a function that says whether there was anything to focus
 */
export function focusPlace(element: Element): () => boolean {
  const ancestors: { element: Element; index: number }[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    ancestors.push({ element: at, index: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  }
  return () => {
    const left = ancestors.findIndex((ancestor) => ancestor.element.isConnected);
    if (left === 0) return focus(element, { preventScroll: true });
    for (let at = left; at > 0 && at < ancestors.length; at += 1) {
      const children = ancestors[at]?.element.children;
      const inPlace = children?.[ancestors[at - 1]?.index ?? 0] ?? children?.[children.length - 1];
      if (inPlace && focusIn(inPlace)) return true;
    }
    return false;
  };
}

/** Focuses a heading, which is not a stop of the Tab key. */
export function focusHeading(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function focusIn(element: Element): boolean {
  return focus(element.matches(focusable) ? element : element.querySelector(focusable));
}

function focus(element: Element | null, options?: FocusOptions): boolean {
  if (element instanceof HTMLElement) element.focus(options);
  return element !== null && element === document.activeElement;
}
