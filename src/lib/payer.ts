/** Who a request is counted against. */
export interface Payer {
  /** Of the key, or of the addresses that an anonymous caller belongs to. */
  readonly id: string;
  /** Requests a second that it may make. */
  readonly rps: number;
}

/** Who pays for an emulation: an API key, or an address without one. */
export interface EmulationPayer {
  readonly id: string;
  /** Requests a second that it may make, to which all that it may spend is in proportion. */
  readonly rps: number;
}
