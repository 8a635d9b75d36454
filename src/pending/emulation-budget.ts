/** Who pays for an emulation: an API key, or an address without one. */
export interface EmulationPayer {
  readonly id: string;
  /** Requests a second that it may make, to which all that it may spend is in proportion. */
  readonly rps: number;
}

/** The leave to emulate once. */
export interface EmulationLeave {
  /** Milliseconds that this one may take at most. */
  readonly mostMs: number;
  /** Takes what it took out of the budget; called once, whatever came of it. */
  readonly spent: (ms: number) => void;
}

/** How much emulation everybody may ask for. */
export interface EmulationBudget {
  /**
   * The leave to emulate now; undefined for one whose time is spent, who has `retrySeconds` to wait. Those that nobody
   * knows share what one anonymous caller has.
   */
  leave(payer: EmulationPayer | undefined): EmulationLeave | undefined;
  /** Whole seconds until a payer has time again. */
  retrySeconds(payer: EmulationPayer | undefined): number;
}
