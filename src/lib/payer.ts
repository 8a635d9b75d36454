/** Who a request, an emulation or a message is counted against. */
export interface Payer {
  /** Of the API key, or of the group of addresses that an anonymous caller belongs to. */
  readonly id: string;
  /** Requests per second of its plan; every other budget is in proportion to it. */
  readonly rps: number;
}
