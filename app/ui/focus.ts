const focusable =
  ":is(a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]):not(:disabled)";

/**
 * Remembers the position of an element in the document.
 *
 * @returns a function that focuses the element, or the one that took its place if it is gone, such as the next row of a
 *   table; it returns whether it focused anything
 */
export function rememberFocus(element: Element): () => boolean {
  const ancestors: { element: Element; index: number }[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    ancestors.push({ element: at, index: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  }
  return () => {
    const left = ancestors.findIndex((ancestor) => ancestor.element.isConnected);
    if (left === 0) return focus(element, { preventScroll: true });
    // What is left of a row or a card gets the focus as a whole: the next button in it may delete it.
    const row = ancestors[left]?.element.closest<HTMLElement>("tr, article");
    if (row) {
      row.tabIndex = -1;
      return focus(row, { preventScroll: true });
    }
    for (let at = left; at > 0 && at < ancestors.length; at += 1) {
      const children = ancestors[at]?.element.children;
      const inPlace = children?.[ancestors[at - 1]?.index ?? 0] ?? children?.[children.length - 1];
      if (inPlace && focusIn(inPlace)) return true;
    }
    return false;
  };
}

/** Focuses a heading, which is not focusable by default. */
export function focusHeading(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Focuses an element when it appears, as a `ref`. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

function focusIn(element: Element): boolean {
  return focus(element.matches(focusable) ? element : element.querySelector(focusable));
}

function focus(element: Element | null, options?: FocusOptions): boolean {
  if (element instanceof HTMLElement) element.focus(options);
  return element !== null && element === document.activeElement;
}
