import { computed, signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** Values of the named parts of a path; they are decoded but not checked. */
type PathValues = Readonly<Record<string, string>>;

export interface PageProps {
  readonly path: PathValues;
  readonly query: URLSearchParams;
}

/** One page: its path, and the module that has it as `Page`. */
export interface Route {
  /** Parts that begin with a colon are names of values. */
  readonly path: string;
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
}

/** Given at the start, because pages import this module. */
const routes = signal<readonly Route[]>([]);

/** Where the application is served; ends with a slash. The server sets it through <base>. */
export const ROOT = new URL(document.baseURI).pathname;

/** The address without the root: `/block/…?x=1`. */
const current = signal(read());
/** Grows with every navigation, so that a page opened again is loaded again. */
export const visit = signal(0);

function read(): string {
  const { pathname, search } = location;
  return `/${pathname.slice(ROOT.length)}${search}`;
}

/** The route of the current address, with the values of its path; null for an unknown one. */
export const place = computed(() => {
  const url = new URL(current.value, 'http://local');
  for (const route of routes.value) {
    const path = match(route.path, url.pathname);
    if (path !== null) return { route, path, query: url.searchParams, url: current.value };
  }
  return null;
});

function match(pattern: string, pathname: string): PathValues | null {
  const names = pattern.split('/').filter(Boolean);
  const parts = pathname.split('/').filter(Boolean);
  if (names.length !== parts.length) return null;
  const values: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const part = decode(parts[i]!);
    if (part === null) return null;
    if (name.startsWith(':')) values[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return values;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The address of a page for links: `page` begins with a slash and is relative to the root. */
export function hrefOf(page: string): string {
  return ROOT + page.slice(1);
}

/** Path of a page from its parts, each of them escaped. */
export function pagePath(...parts: readonly (string | number)[]): string {
  return `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function navigate(page: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', hrefOf(page));
  else history.pushState(null, '', hrefOf(page));
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  current.value = read();
  visit.value += 1;
}

/** Sets the pages, and follows links to them without loading them anew. */
export function startRouter(pages: readonly Route[]): void {
  routes.value = pages;
  addEventListener('popstate', arrive);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest('a');
    // By attributes: links in pictures have objects as properties.
    const href = link?.getAttribute('href');
    if (!link || !href || link.hasAttribute('target') || link.hasAttribute('download')) return;
    const url = new URL(href, document.baseURI);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    const page = `/${url.pathname.slice(ROOT.length)}`;
    if (!routes.value.some((route) => match(route.path, page) !== null)) return;
    event.preventDefault();
    navigate(page + url.search);
  });
}
