import type { CompiledCode } from '../compiled-code.ts';

/** dns-collection.tolk, compiled by test/localnet/contracts/compile-contracts.ts. */
export const DNS_COLLECTION_CODE: CompiledCode = {
  hash: '/HjfjaSPgxyqw1nkLM720XTlfb9/2/im3axES2rUB3w=',
  boc: 'te6ccgECEAEAAbQAART/APSkE/S88sgLAQIBYgIDAgLOBAUCASAKCwIBIAYHAD1O2i7fvI6yHXSVIg1xnPFiHHApUxz1DbMeAB10zQAYATU+JHyQNcsIAAAAATjAtcsIbh/Yowx3IQP8vCAIADsINdJIMIAAak4AsAAsPLgRiDXCwfDAJFw4NMHMXiAB/vACINdJIKk4AvLQyiDCH/LgyIED8Lvy4Ml/IZQgxwGzjiTTByHALSLCLyPBOrAjwmAEwXsUsBOxA7MisBOx8uDLIccBsAHoMPLQy/iXghAF9eEAvvLgzO1E0NQx1NEhyM75FvgoAcjL//pSyfiSA8jOycjPiQgBUyPIz4TQzMwJAC75Fs8L/4EAjM8LdBPMzBL6UszJgED7AAIBIAwNAgEgDg8AB7i10xgAS7p6PtRNDUMdTR+CgCyMv/EvpSyQHIz4TQzMz5FsjPigBAy//PUIABm5Bbf+1E0NTUMdGLAoAJ+6MMMPABIccBkjFt4MgC0weTIcMAlgPLBwLTB+hb7UTQ1DHU0SL5FvgoAcjL//pSyQHIz4TQzMz5FsjPigBAy//PUALPMaDIz4rqThL6UsmA==',
};
