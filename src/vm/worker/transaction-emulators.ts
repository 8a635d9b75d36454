import type { Emulator } from './emulator.ts';

/** An emulator of transactions; it keeps what it was told last. */
export interface HeldEmulator {
  readonly address: number;
  /** Keys of the libraries and previous blocks that it holds; empty for none. */
  libraries: string;
  prevBlocks: string;
}

/** A parsed configuration of the mainnet takes a few megabytes. */
const MAX_HELD = 4;

/** The emulators of transactions in one instance, one for each configuration and verbosity. */
export class TransactionEmulators {
  readonly #emulator: Emulator;
  readonly #held = new Map<string, HeldEmulator>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** The one for a configuration; undefined if that cannot be read. */
  get(configKey: string, verbosity: number, configText: () => string): HeldEmulator | undefined {
    const name = `${configKey} ${verbosity}`;
    let held = this.#held.get(name);
    if (held === undefined) {
      const address = this.#emulator.createTransactionEmulator(configText(), verbosity);
      if (address === 0) return undefined;
      held = { address, libraries: '', prevBlocks: '' };
    } else this.#held.delete(name);
    // The last used one comes last.
    this.#held.set(name, held);
    for (const [oldName, old] of this.#held) {
      if (this.#held.size <= MAX_HELD) break;
      this.#held.delete(oldName);
      this.#emulator.destroyTransactionEmulator(old.address);
    }
    return held;
  }

  /** Takes out one that the instance has destroyed by itself. */
  lost(gone: HeldEmulator): void {
    for (const [name, held] of this.#held) if (held === gone) this.#held.delete(name);
  }
}
