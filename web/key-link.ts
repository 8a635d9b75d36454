import { apiKey } from './api/client.ts';
import { ROOT } from './router.ts';
import { serverInfo } from './server-info.ts';

const KEY = /^#key=([\w-]+)$/;

/**
 * Takes the key of a local chain from the link that its start prints. It is behind the `#`, which browsers send to nobody,
 * and leaves the address bar and the history at once. A link of somebody else cannot plant another key: only the chain's
 * own opens its commands.
 */
export async function takeKeyOfLink(): Promise<void> {
  const key = KEY.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (!serverInfo.value.has_local_chain) return;
  const answer = await fetch(`${ROOT}localnet/status`, { headers: { 'x-api-key': key } }).catch(() => null);
  if (answer?.ok === true) apiKey.value = key;
}
