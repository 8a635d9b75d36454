import type { Route } from './router.ts';

/** All pages, one line each. The server reads the paths from the built files, so a page is added here and nowhere else. */
export const routes: readonly Route[] = [
  { path: '/', load: () => import('./pages/front.tsx') },
  { path: '/search', load: () => import('./pages/search.tsx') },
  { path: '/block/:workchain/:shard/:seqno', load: () => import('./pages/block.tsx') },
  { path: '/tx/:hash', load: () => import('./pages/transaction.tsx') },
  { path: '/trace/:id', load: () => import('./pages/trace.tsx') },
  { path: '/account/:address', load: () => import('./pages/account.tsx') },
  { path: '/jetton/:address', load: () => import('./pages/jetton.tsx') },
  { path: '/nft/:address', load: () => import('./pages/nft.tsx') },
  { path: '/collection/:address', load: () => import('./pages/collection.tsx') },
  { path: '/domain/:domain', load: () => import('./pages/domain.tsx') },
  { path: '/tokens', load: () => import('./pages/tokens.tsx') },
  { path: '/validators', load: () => import('./pages/validators.tsx') },
  { path: '/config', load: () => import('./pages/config.tsx') },
  { path: '/localnet/panel', load: () => import('./pages/localnet-panel.tsx') },
  { path: '/dashboard', load: () => import('./pages/dashboard.tsx') },
  { path: '/admin', load: () => import('./pages/admin.tsx') },
];
