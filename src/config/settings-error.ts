/** Everything that is wrong with the settings, in one message for the operator. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const head = faults.length === 1 ? 'A setting is wrong:' : `${faults.length} settings are wrong:`;
    super([head, ...faults.map((fault) => `  ${fault}`)].join('\n'));
    this.name = 'SettingsError';
    this.faults = faults;
  }
}
