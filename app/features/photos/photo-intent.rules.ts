/** The intent of a button that submits a form with photos in it: what it does, and to which photo. */
export function photoIntent(change: string, id: string): string {
  return `${change} ${id}`;
}

export function parsePhotoIntent(intent: unknown): { change: string; id: string } | null {
  const [, change, id] = /^(left|right|remove) ([\w-]+)$/.exec(String(intent)) ?? [];
  return change && id ? { change, id } : null;
}
