import type { CompiledCode } from '../compiled-code.ts';

/** nft-item.tolk, compiled by test/localnet/contracts/compile-contracts.ts. */
export const NFT_ITEM_CODE: CompiledCode = {
  hash: 'OeU1kd4GASYp+hbYhRfWX2fCuI1nnqI9f2XL22SNgFw=',
  boc: 'te6ccgECCAEAAXgAART/APSkE/S88sgLAQIBYgIDAvjQ+JHyQO1E0NM/+kggxwGUMG1tcJf6SNdMgQCB4sAAjhxb+JIhxwXy4ZUC+kjU0QLIyz8T+lIS+lLMye1U4CTXLCL+Yeik4wJsIdcsIX5ZNRSOKTMC1ws/+JLIz5It3FzWEss/Esv/EvpSycjPhQgS+lJxzwtuzMmAQPsABAUBV6Efn9qJoaZ/9JBBjgMoYNra4S/0ka6ZAgEDxYABHRK24RYFECBIIEfA/qphBwH+NfiSIscF8uGRBNM/+kj6UPQB+gAHyMs/FvpSUiD6UhfMye1U+JNw+DolxwHy0sQkwABwceMEJ25wceMEoIIK+vCAJqACqKD4J28Qu/LhkoIK+vCAcvsCI8MAkxRfBOMNIW6RW44YyM+FCBL6UoIQ1TJ2288Ljss/yYEAgvsA4gYAFOBfA4QPAccA8vQASsjPkBRONkYizws/E/pSFM7JyM+FCBL6Ulj6AnHPC2rMyYAR+wAAAA==',
};
