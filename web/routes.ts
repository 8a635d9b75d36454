import type { Route } from './router.ts';

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
