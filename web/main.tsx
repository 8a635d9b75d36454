import { render } from 'preact';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { App, followAddress } from './app.tsx';
import { takeKeyOfLink } from './key-link.ts';
import { startRouter } from './router.ts';
import { routes } from './routes.ts';
import { loadServerInfo } from './server-info.ts';

startRouter(routes);
followAddress();
// Pages need to know the network and the key; without an answer they say what is wrong themselves.
await loadServerInfo().catch(() => {});
await takeKeyOfLink();
// Opened in a tab that shows these pages, the link loads nothing anew.
addEventListener('hashchange', () => void takeKeyOfLink());
render(<App />, document.getElementById('app')!);
