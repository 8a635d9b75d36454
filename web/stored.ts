import { type Signal, signal } from '@preact/signals';

/**
 * A text that this browser stores, for good or until the tab is closed; empty if there is none. Without storage (private
 * mode) it lives as long as the page.
 */
export function storedText(
  name: string,
  storage: 'localStorage' | 'sessionStorage' = 'localStorage',
): Signal<string> {
  const key = `tongate-${name}`;
  const text = signal('');
  try {
    text.value = window[storage].getItem(key) ?? '';
  } catch {
    // The page works without it.
  }
  text.subscribe((value) => {
    try {
      if (value === '') window[storage].removeItem(key);
      else window[storage].setItem(key, value);
    } catch {
      // The same.
    }
  });
  return text;
}
