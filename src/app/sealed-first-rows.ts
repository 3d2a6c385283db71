/** The rows of the first paint, as they are kept: sealed where their user has a key. Stands in the page itself, so it is small. */
import { unseal, type Place, type Sealed } from '#data/seal/seal.ts'

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
export async function openedRows(rows: unknown): Promise<unknown> {
  if (Array.isArray(rows)) return rows
  const { store, key, bytes } = rows as SealedRows
  const sealed = { key, bytes: Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0)).buffer }
  const plain = await unseal(crypto, await keyOf(store, key), placeOfRows(store), sealed)
  return JSON.parse(new TextDecoder().decode(plain)) as unknown
}

/** As `stored-keys.ts` keeps them; null where it is not there. */
function keyOf(store: string, id: string): Promise<CryptoKey | null> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('genba-keys')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    opening.addEventListener('error', () => resolve(null))
    opening.addEventListener('success', () => {
      const database = opening.result
      try {
        const reading = database.transaction('users').objectStore('users').get(store)
        reading.addEventListener('success', () => resolve(usableOf(reading.result, id)))
        reading.addEventListener('error', () => resolve(null))
      } catch (error) {
        reject(error)
      }
      database.close()
    })
  })
}

const usableOf = (record: { keys?: { id: string; usable?: CryptoKey }[] } | undefined, id: string) =>
  record?.keys?.find((key) => key.id === id)?.usable ?? null
