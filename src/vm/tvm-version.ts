/** The newest rules of TVM that the emulator knows: it was built from the node of December 2025. */
export const TVM_VERSION = 13;

/** Whether a network with this global version (parameter 8) has rules that the emulator does not know. */
export function isBehind(globalVersion: number): boolean {
  return globalVersion > TVM_VERSION;
}
