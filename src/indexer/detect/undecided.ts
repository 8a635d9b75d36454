/** What a contract is cannot be found out now: a server does not answer, or time is over. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}
