/**
 * The bag of cells of mainnet's configuration as the package of the emulator has it; its root is that of the
 * dictionary of parameters. Loaded when it is needed, as it is large.
 */
export async function loadMainnetConfig(): Promise<Buffer> {
  // Not the package's index, which comes with the emulator and more.
  const { defaultConfig } = await import('@ton/sandbox/dist/config/defaultConfig.js');
  return Buffer.from(defaultConfig, 'base64');
}
