import type { ComponentType } from 'preact';

/** Values of the named parts of a path; they are decoded but not checked. */
export type PathValues = Readonly<Record<string, string>>;

export interface PageProps {
  readonly path: PathValues;
  readonly query: URLSearchParams;
}

/** One page: its path, and the module that has it as `Page`. */
interface Route {
  /** Parts that begin with a colon are names of values. */
  readonly path: string;
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
}

/** All pages, one line each. The server reads the paths from the built files, so a page is added here and nowhere else. */
export const routes: readonly Route[] = [
  { path: '/', load: () => import('./pages/front.tsx') },
  { path: '/search', load: () => import('./pages/search.tsx') },
  { path: '/block/:workchain/:shard/:seqno', load: () => import('./pages/block.tsx') },
  { path: '/tx/:hash', load: () => import('./pages/transaction.tsx') },
  { path: '/trace/:id', load: () => import('./pages/trace.tsx') },
  { path: '/dashboard', load: () => import('./pages/dashboard.tsx') },
  { path: '/admin', load: () => import('./pages/admin.tsx') },
];
