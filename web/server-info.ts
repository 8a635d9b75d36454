import { signal } from '@preact/signals';
import { ROOT } from './router.ts';
import { coin } from './show/coin.ts';
import { noteChainTime } from './show/time.tsx';

/** The server about itself, for its pages (`/web.json`). */
interface ServerInfo {
  readonly version: string;
  readonly network: string;
  /** What its coin is called. */
  readonly coin: string;
  /** Whether addresses are shown in the form of test networks. */
  readonly test_only: boolean;
  /** Whether the commands to a local chain are served. */
  readonly has_local_chain: boolean;
  /** Whether events are sent. */
  readonly has_streaming: boolean;
  /** Unix seconds of the newest masterchain block; null while the server knows none. */
  readonly chain_time: number | null;
  /** Where images may be loaded from; null: from nowhere. */
  readonly image_origin: string | null;
  /** Requests per second without a key; null: no limit. */
  readonly anonymous_rps: number | null;
  /** Where the operator finds the key of a local chain; null on other networks. */
  readonly local_key_file: string | null;
  /** Lets a first visit be complete at once: so many calls without a key in so many seconds. Null where there is no need. */
  readonly page_token: { readonly token: string; readonly calls: number; readonly seconds: number } | null;
}

const UNKNOWN: ServerInfo = {
  version: '',
  network: '',
  coin: 'TON',
  test_only: false,
  has_local_chain: false,
  has_streaming: false,
  chain_time: null,
  image_origin: null,
  anonymous_rps: 1,
  local_key_file: null,
  page_token: null,
};

export const serverInfo = signal<ServerInfo>(UNKNOWN);

export async function loadServerInfo(): Promise<void> {
  const response = await fetch(`${ROOT}web.json`);
  if (!response.ok) return;
  const info = (await response.json()) as ServerInfo;
  serverInfo.value = info;
  coin.value = info.coin;
  if (info.chain_time !== null) noteChainTime(info.chain_time);
}
