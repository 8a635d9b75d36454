import type { CompilerConfig } from '@ton/blueprint';

export const compile: CompilerConfig = { lang: 'tolk', entrypoint: 'contracts/counter.tolk' };
