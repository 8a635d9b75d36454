import { hash } from 'node:crypto';

const TAG_CHARS = 22;

/** The weak tag of an answer whose meaning is this text; what is around it may differ from answer to answer. */
export function weakTag(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, TAG_CHARS)}"`;
}

/** Whether an `If-None-Match` names the tag; weak and strong forms of one tag count as the same, as HTTP has it. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
