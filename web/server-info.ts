import { signal } from '@preact/signals';
import { ROOT } from './router.ts';

/** The server about itself, for its pages (`/web.json`). */
interface ServerInfo {
  readonly version: string;
  readonly network: string;
  /** Whether addresses are shown in the form of test networks. */
  readonly test_only: boolean;
  /** Whether the commands to a local chain are served. */
  readonly has_local_chain: boolean;
  /** Where images may be loaded from; null: from nowhere. */
  readonly image_origin: string | null;
  /** Requests per second without a key; null: no limit. */
  readonly anonymous_rps: number | null;
  /** Where the operator finds the key of a local chain; null on other networks. */
  readonly local_key_file: string | null;
}

const UNKNOWN: ServerInfo = {
  version: '',
  network: '',
  test_only: false,
  has_local_chain: false,
  image_origin: null,
  anonymous_rps: 1,
  local_key_file: null,
};

export const serverInfo = signal<ServerInfo>(UNKNOWN);

export async function loadServerInfo(): Promise<void> {
  const response = await fetch(`${ROOT}web.json`);
  if (response.ok) serverInfo.value = (await response.json()) as ServerInfo;
}
