/**
 * Names of marketplaces of the main network, by the address of their contract, or by the address of a collection where one
 * marketplace made it and is where it is sold.
 */
export const MARKETPLACE_NAMES: ReadonlyMap<string, string> = new Map([
  ['0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18', 'getgems'],
  ['0:A3935861F79DAF59A13D6D182E1640210C02F98E3DF18FDA74B8F5AB141ABF18', 'getgems'],
  ['0:EB2EAF97EA32993470127208218748758A88374AD2BBD739FC75C9AB3A3F233D', 'disintar'],
  // The collections of names and of numbers of Telegram.
  ['0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2', 'fragment'],
  ['0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2', 'fragment'],
]);
