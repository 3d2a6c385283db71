/**
 * What the first paint draws and the list is first made of, as it is kept: sealed where its user has a key. The key is one of
 * its own, made anew after each drop, and lies beside the session, which the first paint reads anyway: the user's lies in another
 * database, and each costs its opening. Stands in the page itself, so it is small.
 */
import { seal, unseal, type DataKey, type SealedPlace } from '#data/seal/seal.ts'

/** What is kept of the list. */
export interface Opened {
  /** As it stands in the document (`kept-nodes.ts`). */
  nodes: unknown
  /** What it is drawn of (`first-list.ts`); null where only the database can say. */
  list: unknown
}

/** Base64. */
type SealedRows = string
export type KeptRows = Opened | SealedRows

/** What lies beside the session: a word that what is kept must say, too, and what opens it. */
export interface Word {
  said: string
  /** Null where nothing is sealed. */
  key: CryptoKey | null
}

const PLACE: SealedPlace = ['genba-device', 'first-rows', '']

/** For use only. */
export const rowsKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

/** @param opened some hundred kB at most */
export async function sealedRows(key: CryptoKey, opened: Opened): Promise<SealedRows> {
  const text = new TextEncoder().encode(JSON.stringify(opened))
  const { bytes } = await seal(crypto, { id: '', key } satisfies DataKey, PLACE, text)
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
}

/** @returns what was kept @throws where it cannot be opened */
export async function openedRows(rows: KeptRows, key: CryptoKey | null): Promise<Opened> {
  if (typeof rows !== 'string') return rows
  const plain = await unseal(crypto, key, PLACE, { key: '', bytes: bytesOf(atob(rows)) })
  return JSON.parse(new TextDecoder().decode(plain)) as Opened
}

/** By a plain loop: the rows wait for it, and a function called for each byte takes ten times as long when it is new. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes.buffer
}
