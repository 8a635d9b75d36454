import { compile, type NetworkProvider } from '@ton/blueprint';
import { beginCell, contractAddress, toNano } from '@ton/core';

export async function run(provider: NetworkProvider) {
  const init = { code: await compile('Counter'), data: beginCell().storeUint(41, 32).endCell() };
  const address = contractAddress(0, init);
  await provider.sender().send({ to: address, value: toNano('0.1'), init });
  await provider.waitForDeploy(address, 40, 250);
  const { stack } = await provider.provider(address).get('counter', []);
  console.log(`counter at ${address.toRawString()} is ${stack.readNumber()}`);
}
