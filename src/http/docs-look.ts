/** A browser, as far as the docs pages use it here. */
interface MediaQuery {
  readonly matches: boolean;
  addEventListener(type: 'change', listener: () => void): void;
}
declare const matchMedia: (query: string) => MediaQuery;
declare const addEventListener: (type: 'storage', listener: () => void) => void;
declare const localStorage: { getItem(name: string): string | null };
declare const document: {
  readonly documentElement: { readonly classList: { toggle(name: string, isSet: boolean): void } };
  readonly head: { insertAdjacentHTML(place: 'beforeend', html: string): void };
};

/** Runs in the browser, where it is sent as text: dark or light as chosen in the explorer, else as the system is. */
function followLook(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (): void => {
    const isDark = (localStorage.getItem('tongate-theme') ?? (system.matches ? 'dark' : 'light')) === 'dark';
    document.documentElement.classList.toggle('dark-mode', isDark);
    document.documentElement.classList.toggle('light-mode', !isDark);
  };
  show();
  system.addEventListener('change', show);
  addEventListener('storage', show);
  // Swagger UI leaves it out, and phones would show the page as that of a wide window.
  document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">');
}

export const LOOK_SCRIPT = `(${followLook})();`;

/**
 * What Swagger UI lacks in its two looks: the color of the window, until the script has run too, texts that stand out from what
 * is behind them, and room on a phone. No operation has links.
 */
export const LOOK = `
html.dark-mode body { background: #1c2022; }
@media (prefers-color-scheme: dark) { html:not(.light-mode) body { background: #1c2022; } }

.light-mode .swagger-ui .info a, .light-mode .swagger-ui .info .url { color: #1d62b0; }
.light-mode .swagger-ui .info .title small { background: #5b6270; }
.light-mode .swagger-ui .info .title small.version-stamp { background: #487000; }
.light-mode .swagger-ui .btn.authorize { border-color: #167a4b; color: #167a4b; }
.light-mode .swagger-ui .btn.authorize svg { fill: #167a4b; }
.light-mode .swagger-ui .btn.cancel { border-color: #c62828; color: #c62828; }
.light-mode .swagger-ui .btn.execute { background: #1d62b0; border-color: #1d62b0; }
.light-mode .swagger-ui .parameter__in { color: #5c5c5c; }
.light-mode .swagger-ui .parameter__name.required span, .light-mode .swagger-ui .parameter__name.required::after { color: #c62828; }
.light-mode .swagger-ui .opblock .opblock-summary-method { color: #0d1a26; text-shadow: none; }
.light-mode .swagger-ui .json-schema-2020-12-expand-deep-button { color: #5c5c5c; }
.swagger-ui .opblock.opblock-deprecated { opacity: 0.9; }
html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #5b6270; color: #fff; }
html.dark-mode .swagger-ui .btn.cancel { border-color: #ff8585; color: #ff8585; }

.swagger-ui .response-col_links { display: none; }
.swagger-ui table tbody tr td.parameters-col_name { padding-right: 12px; }
`;
