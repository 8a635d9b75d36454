import { type Signal, signal } from '@preact/signals';

/** A text that this browser keeps; empty if there is none. Without storage (private mode) it lives as long as the page. */
export function storedText(name: string): Signal<string> {
  const key = `tongate-${name}`;
  const text = signal(read(key));
  text.subscribe((value) => {
    try {
      if (value === '') localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // The page works without it.
    }
  });
  return text;
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
