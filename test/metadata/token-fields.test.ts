import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../src/metadata/document-source.ts';
import { imageVariants } from '../../src/metadata/token-fields.ts';

const ipfsGateways = ['https://ipfs.io/ipfs/'];
const IMAGE = 'https://a.test/i.png?a=1';

describe('imageVariants', () => {
  it('signs paths for three sizes, plain and blurred', () => {
    const key = Buffer.from('943b421c9eb07c83', 'hex');
    const salt = Buffer.from('520f986b998545b4', 'hex');
    const source = 'aHR0cHM6Ly9hLnRlc3QvaS5wbmc_YT0x';
    const signed = (path: string) => {
      const bytes = Buffer.concat([salt, Buffer.from(path)]);
      return `/${createHmac('sha256', key).update(bytes).digest('base64url')}${path}`;
    };
    expect(imageVariants(IMAGE, { key, salt, ipfsGateways })).toEqual({
      _image_small: signed(`/pr:small/${source}`),
      _image_small_blur: signed(`/pr:small/bl:256/${source}`),
      _image_medium: signed(`/pr:medium/${source}`),
      _image_medium_blur: signed(`/pr:medium/bl:256/${source}`),
      _image_big: signed(`/pr:big/${source}`),
      _image_big_blur: signed(`/pr:big/bl:256/${source}`),
    });
  });

  it('does not sign without a key', () => {
    const { _image_small_blur } = imageVariants(IMAGE, { ipfsGateways });
    expect(_image_small_blur).toBe('/insecure/pr:small/bl:256/aHR0cHM6Ly9hLnRlc3QvaS5wbmc_YT0x');
  });

  it('uses the gateway for IPFS images', () => {
    const source = Buffer.from('https://ipfs.io/ipfs/Qm1/a.png').toString('base64url');
    expect(imageVariants('ipfs://Qm1/a.png', { ipfsGateways })._image_big).toBe(`/insecure/pr:big/${source}`);
  });

  it.each([
    '',
    'a.png',
    'local:///etc/passwd',
    's3://bucket/key',
    'data:image/png;base64,AA==',
    'ipfs://../x',
  ])('returns none for %j', (image) => expect(imageVariants(image, { ipfsGateways })).toEqual({}));

  it.each([
    'http://127.0.0.1/i.png',
    'http://2130706433/i.png',
    'http://0x7f.1/i.png',
    'http://0177.0.0.1/i.png',
    'https://10.1.2.3/i.png',
    'https://192.168.0.1:8080/i.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/i.png',
    'http://[fd00::1]/i.png',
    'http://[fe80::1]/i.png',
    'http://[::ffff:10.0.0.1]/i.png',
    'http://[64:ff9b::7f00:1]/i.png',
    'http://localhost/i.png',
    'http://LOCALHOST./i.png',
    'http://a.localhost/i.png',
    'http://printer.local/i.png',
    'http://metadata.google.internal/i.png',
    'http://nas.home.arpa/i.png',
    'http://redis:6379/i.png',
    'http://user:secret@a.test/i.png',
    'http://a.test:22/i.png',
    'http://a b/i.png',
  ])('returns none for an address that is not public: %s', (image) => {
    expect(imageVariants(image, { ipfsGateways })).toEqual({});
  });

  it.each([
    ['http://8.8.8.8/i.png', 'http://8.8.8.8/i.png'],
    ['https://[2606:4700::1]/i.png', 'https://[2606:4700::1]/i.png'],
    ['https://local.a.test:8443/i.png', 'https://local.a.test:8443/i.png'],
    // imgproxy gets the URL that was checked.
    ['https://a.test\\@10.0.0.1/i.png', 'https://a.test/@10.0.0.1/i.png'],
  ])('signs the public address %s', (image, url) => {
    const source = Buffer.from(url).toString('base64url');
    expect(imageVariants(image, { ipfsGateways })._image_big).toBe(`/insecure/pr:big/${source}`);
  });

  it('returns none for a too long URL', () => {
    expect(imageVariants(`https://a.test/${'a'.repeat(3000)}`, { ipfsGateways })).toEqual({});
  });
});

describe('gatewayUrl', () => {
  const inside = 'http://10.0.0.5:8080/files/ipfs';

  it.each([
    ['ipfs://Qm1', 'http://10.0.0.5:8080/files/ipfs/Qm1'],
    ['ipfs://Qm1/a b/c.json?x=1', 'http://10.0.0.5:8080/files/ipfs/Qm1/a%20b/c.json?x=1'],
    ['ipfs://ipfs/Qm1/1', 'http://10.0.0.5:8080/files/ipfs/Qm1/1'],
    ['IPFS://Qm1/./1', 'http://10.0.0.5:8080/files/ipfs/Qm1/1'],
  ])('returns %s at the gateway', (link, url) => expect(gatewayUrl(link, 'ipfs', inside)?.href).toBe(url));

  it.each([
    'ipfs://',
    'ipfs://..',
    'ipfs://Qm1/../../admin',
    'ipfs://Qm1/%2e%2e/%2E%2e/admin',
    'ipfs://Qm1\\..\\..\\admin',
    'ipfs:////evil.test/a',
    'ipfs://http://evil.test/',
    'ipfs://?a',
    'ipfs://#a',
    'ipns://Qm1',
    'https://Qm1',
    'ipfs://user@evil.test',
    'ipfs://evil.test:80/',
  ])('stays within the gateway for %s', (link) => expect(gatewayUrl(link, 'ipfs', inside)).toBeUndefined());
});
