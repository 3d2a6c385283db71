/** What the first paint draws and the list is first made of, as it is kept: sealed where its user has a key. Stands in the page itself, so it is small. */
import { unseal, type Place, type Sealed } from '#data/seal/seal.ts'

/** What is kept of the list. */
export interface Opened {
  /** As it stands in the document (`kept-nodes.ts`). */
  nodes: unknown
  /** What it is drawn of (`first-list.ts`); null where only the database can say. */
  list: unknown
}

interface SealedRows {
  /** Name of the user's database. */
  store: string
  /** Id of the key, and base64 of the bytes. */
  key: string
  bytes: string
}

export const placeOfRows = (store: string): Place => [store, 'first-rows', '']

/** @param bytes of some hundred kB at most */
export const keptSealed = (store: string, { key, bytes }: Sealed): SealedRows => ({
  store,
  key,
  bytes: btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')),
})

/** @returns what was kept @throws where it cannot be opened */
export async function openedRows(rows: Opened | SealedRows): Promise<Opened> {
  if (!('bytes' in rows)) return rows
  const { store, key, bytes } = rows
  const opening = keyOf(store, key)
  const sealed = { key, bytes: bytesOf(atob(bytes)) }
  const plain = await unseal(crypto, await opening, placeOfRows(store), sealed)
  return JSON.parse(new TextDecoder().decode(plain)) as Opened
}

/** By a plain loop: the rows wait for it, and a function called for each byte takes ten times as long when it is new. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes.buffer
}

/** As `stored-keys.ts` keeps them; null where it is not there. */
function keyOf(store: string, id: string): Promise<CryptoKey | null> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('genba-keys')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    opening.addEventListener('error', () => resolve(null))
    opening.addEventListener('success', () => {
      const database = opening.result
      try {
        const reading = database.transaction('users').objectStore('users').get(store)
        reading.addEventListener('success', () => resolve(usableOf(reading.result, id)))
        reading.addEventListener('error', () => resolve(null))
      } catch {
        resolve(null)
      }
      database.close()
    })
  })
}

const usableOf = (record: { keys?: { id: string; usable?: CryptoKey }[] } | undefined, id: string) =>
  record?.keys?.find((key) => key.id === id)?.usable ?? null
