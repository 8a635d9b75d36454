import { storedText } from './stored.ts';

/** `light`, `dark`, or empty for what the system prefers. */
const chosen = storedText('theme');

chosen.subscribe((theme) => {
  if (theme === '') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
});

function isDark(): boolean {
  return (
    chosen.value === 'dark' || (chosen.value === '' && matchMedia('(prefers-color-scheme: dark)').matches)
  );
}

/** Changes between light and dark, and stores the choice. */
export function switchTheme(): void {
  chosen.value = isDark() ? 'light' : 'dark';
}
