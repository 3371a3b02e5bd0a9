import { generateKeyPairSync, sign } from 'node:crypto';
import { dayMs } from '../../kit/time-units.ts';

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
};
const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts);
const oid = (...bytes: readonly number[]) => element(0x06, Buffer.from(bytes));
const utcTime = (timeMs: number) =>
  element(0x17, Buffer.from(`${new Date(timeMs).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));
const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const subjectAltName = oid(0x55, 0x1d, 0x11);
const commonName = oid(0x55, 0x04, 0x03);

/** A key and a self-signed certificate for this name, valid for a day. Tests generate it, so that the repository contains none. */
export const makeCertificate = (name: string): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from(name)))));
  const names = sequence(element(0x82, Buffer.from(name)));
  const content = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    subject,
    sequence(utcTime(Date.now() - dayMs), utcTime(Date.now() + dayMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(subjectAltName, element(0x04, names)))),
  );
  const signature = element(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(content, ecdsaWithSha256, signature)),
  };
};
