import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { callV2, TRANSPORTS } from './support/transports.ts';

const HEX = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const RAW = `0:${HEX}`;
const FORMS = {
  bounceable: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  nonBounceable: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
  bounceableTest: 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH',
  nonBounceableTest: '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC',
};
const ALPHABET = {
  raw: '0:5f696ae8fe14acd382246b299a469c12f755b3d16d3b8aa0975ba230bcc90944',
  b64: 'EQBfaWro/hSs04IkaymaRpwS91Wz0W07iqCXW6IwvMkJRCzC',
  b64url: 'EQBfaWro_hSs04IkaymaRpwS91Wz0W07iqCXW6IwvMkJRCzC',
};
const ELECTOR = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
const HASH = {
  b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
  b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
  hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
};

let app: FastifyInstance;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe.each(TRANSPORTS)('address and hash vectors by %s', (transport) => {
  const call = async (method: string, params: Record<string, unknown>) =>
    callV2(app, transport, method, params);
  const result = async (method: string, params: Record<string, unknown>) => {
    const { status, body } = await call(method, params);
    expect({ status, ok: body.ok }).toEqual({ status: 200, ok: true });
    return body.result;
  };

  it.each([
    [FORMS.bounceable, 'friendly_bounceable', false],
    [FORMS.nonBounceable, 'friendly_non_bounceable', false],
    [FORMS.bounceableTest, 'friendly_bounceable', true],
    [FORMS.nonBounceableTest, 'friendly_non_bounceable', true],
    [RAW, 'raw_form', false],
    [RAW.toUpperCase(), 'raw_form', false],
  ])('detectAddress of %s', async (address, given_type, test_only) => {
    const [bounceable, nonBounceable] = test_only
      ? [FORMS.bounceableTest, FORMS.nonBounceableTest]
      : [FORMS.bounceable, FORMS.nonBounceable];
    const variant = (text: string) => ({
      '@type': 'ext.utils.detectedAddressVariant',
      b64: text.replaceAll('-', '+').replaceAll('_', '/'),
      b64url: text,
    });
    expect(await result('detectAddress', { address })).toEqual({
      '@type': 'ext.utils.detectedAddress',
      raw_form: RAW,
      bounceable: variant(bounceable),
      non_bounceable: variant(nonBounceable),
      given_type,
      test_only,
    });
  });

  it('detectAddress returns both base64 alphabets', async () => {
    for (const address of Object.values(ALPHABET)) {
      const detected = await result('detectAddress', { address });
      expect(detected.raw_form).toBe(ALPHABET.raw);
      expect(detected.bounceable).toMatchObject({ b64: ALPHABET.b64, b64url: ALPHABET.b64url });
    }
  });

  it('detectAddress reads a bare hash as a masterchain account', async () => {
    const detected = await result('detectAddress', { address: '3'.repeat(64) });
    expect(detected).toMatchObject({
      raw_form: `-1:${'3'.repeat(64)}`,
      given_type: 'raw_form',
      test_only: false,
    });
    expect(detected.bounceable.b64url).toBe(ELECTOR);
  });

  it('packAddress keeps flags and returns base64url', async () => {
    expect(await result('packAddress', { address: RAW })).toBe(FORMS.bounceable);
    expect(await result('packAddress', { address: `-1:${'3'.repeat(64)}` })).toBe(ELECTOR);
    expect(await result('packAddress', { address: ALPHABET.b64 })).toBe(ALPHABET.b64url);
    for (const form of Object.values(FORMS))
      expect(await result('packAddress', { address: form })).toBe(form);
  });

  it('unpackAddress returns upper case', async () => {
    for (const address of [RAW, ...Object.values(FORMS)]) {
      expect(await result('unpackAddress', { address })).toBe(RAW.toUpperCase());
    }
    expect(await result('unpackAddress', { address: ELECTOR })).toBe(`-1:${'3'.repeat(64)}`);
    expect(await result('unpackAddress', { address: `1000000:${HEX}` })).toBe(`1000000:${HEX.toUpperCase()}`);
  });

  it.each([HASH.b64, HASH.b64url, `${HASH.b64url}=`, HASH.hex, HASH.hex.toUpperCase()])(
    'detectHash of %s',
    async (hash) => {
      expect(await result('detectHash', { hash })).toEqual({ '@type': 'ext.utils.detectedHash', ...HASH });
    },
  );

  it.each([HASH.b64.slice(0, -1), 'not a hash', '', HASH.hex.slice(1), `0x${HASH.hex}`, `${HASH.b64}=`])(
    'detectHash rejects %j',
    async (hash) => {
      const { status, body } = await call('detectHash', { hash });
      expect({ status, ok: body.ok, code: body.code }).toEqual({ status: 422, ok: false, code: 422 });
      expect(body.error).toContain(hash === '' ? 'empty hash' : `invalid hash: '${hash}'`);
    },
  );

  it.each(['detectAddress', 'packAddress', 'unpackAddress'])(
    '%s rejects an invalid address',
    async (method) => {
      for (const address of ['abcde', '', `${FORMS.bounceable.slice(0, -1)}A`, `0:${HEX}00`]) {
        const { status, body } = await call(method, { address });
        expect({ status, ok: body.ok, code: body.code }).toEqual({ status: 422, ok: false, code: 422 });
        expect(body.error).toContain(`Failed to parse ton_addr: '${address}'`);
        expect(body).not.toHaveProperty('result');
      }
    },
  );

  it('a missing parameter is named in the error', async () => {
    const { status, body } = await call('detectAddress', {});
    expect(status).toBe(422);
    expect(body.error).toBe(
      transport === 'get'
        ? "failed to parse get request: Failed to parse ton_addr: ''"
        : "failed to parse post request: Field 'address' is missing",
    );
  });
});
