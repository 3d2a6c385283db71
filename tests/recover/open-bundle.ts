/** Opens a sealed bundle line by line: bounded, parsed by the schema of its writer, or a clear word why not. */
import { type } from 'arktype'
import {
  BUNDLE_KIND,
  BUNDLE_VERSION,
  bundleHead,
  bundleRow,
  type BundleHead,
  type BundleRow,
} from '#schemas/device/sealed-bundle.ts'
import { recovered } from './recovered.ts'
import { storesName } from '#data/database/database-name.ts'
import { placeOfRow } from '#data/encryption/sealed-rows.ts'
import { unseal, type SealedPlace } from '#data/encryption/seal.ts'
import { usableKey } from '#data/encryption/wrap.ts'
import type { PrivateKey } from './private-key.ts'

/** What is said to whoever runs it. */
export class BundleError extends Error {}

export type Opened =
  | { kind: 'record'; collection: string; key: string; version: number; document: object }
  | { kind: 'photo'; key: string; bytes: ArrayBuffer; thumb?: ArrayBuffer; origin?: unknown }
  /** It is not what was sealed there, or of a key that is not in the file. */
  | { kind: 'spoiled'; collection: string; key: string }

const NOT_ONE = '封印したままのファイルではありません。'
const CUT = 'ファイルが途中で切れています。もう一度送ってもらってください。'

/**
 * @param lines of the file
 * @throws BundleError where it cannot be opened at all, or ends too soon: what came before it was whole
 */
export async function* openBundle(
  lines: AsyncIterable<string>,
  key: PrivateKey,
): AsyncGenerator<Opened, void, undefined> {
  let keys: Map<string, CryptoKey> | null = null
  let user = ''
  let [count, isEnded] = [0, false]
  for await (const line of lines) {
    if (line === '' || isEnded) continue
    if (!keys) {
      const head = headOf(line)
      user = head.user
      keys = await keysOf(head, key)
      continue
    }
    const value = parsed(line)
    const end = bundleEnd(value)
    if (!(end instanceof type.errors)) {
      if (end.end !== count) throw new BundleError(CUT)
      isEnded = true
      continue
    }
    const row = bundleRow(value)
    if (row instanceof type.errors) throw new BundleError(CUT)
    count += 1
    yield await openRow(row, user, keys)
  }
  if (!keys) throw new BundleError(NOT_ONE)
  if (!isEnded) throw new BundleError(CUT)
}

function headOf(line: string): BundleHead {
  const value = parsed(line.replace(/^\uFEFF/, ''))
  if (Object(value).kind !== BUNDLE_KIND) throw new BundleError(NOT_ONE)
  const version: unknown = Reflect.get(Object(value), 'version')
  if (version !== BUNDLE_VERSION)
    throw new BundleError(
      `版 ${Number(version)} のファイルです。ここで開けるのは版 ${BUNDLE_VERSION} だけです。その版のアプリと一緒に配られた npm run recover を使ってください。`,
    )
  const head = bundleHead(value)
  if (head instanceof type.errors) throw new BundleError('ファイルの先頭が壊れています。')
  return head
}

async function keysOf({ keys }: BundleHead, key: PrivateKey): Promise<Map<string, CryptoKey>> {
  const mine = keys.filter(({ by }) => by === key.by)
  if (mine.length === 0)
    throw new BundleError(
      `別の鍵で開くファイルです。\n  ファイル：${[...new Set(keys.map(({ by }) => by))].join('、') || 'なし'}\n  この鍵　：${key.by}`,
    )
  try {
    return new Map(
      await Promise.all(
        mine.map(async ({ id, bytes }): Promise<[string, CryptoKey]> => {
          const raw = await recovered(key.pkcs8, id, bytesOf(bytes))
          return [id, await usableKey(raw)]
        }),
      ),
    )
  } catch (error) {
    throw new BundleError('鍵の部分が壊れています。', { cause: error })
  }
}

const bundleEnd = type({ end: 'number >= 0' })

type Stored = NonNullable<BundleRow['sealed']>

async function openRow(row: BundleRow, user: string, keys: ReadonlyMap<string, CryptoKey>): Promise<Opened> {
  const { collection, version, key, clear, sealed, bytes, thumb, origin } = row
  const database = storesName(user, (bytes ?? sealed)?.key ?? '')
  const open = ({ key: id, bytes: text }: Stored, place: SealedPlace) =>
    unseal(keys.get(id) ?? null, place, { key: id, bytes: bytesOf(text) })
  const valueOf = async (stored: Stored, place: SealedPlace): Promise<unknown> =>
    JSON.parse(new TextDecoder().decode(await open(stored, place)))
  try {
    if (bytes)
      return {
        kind: 'photo',
        key,
        bytes: await open(bytes, [database, 'bytes', key]),
        ...(thumb && { thumb: await open(thumb, [database, 'thumb', key]) }),
        ...(origin && { origin: await valueOf(origin, [database, 'origin', key]) }),
      }
    // what the row is called is one of the fields that lie in clear
    if (!sealed || !Object.values(clear ?? {}).includes(key)) return { kind: 'spoiled', collection, key }
    const hidden = await valueOf(sealed, placeOfRow({ database, collection, version }, clear ?? {}))
    return { kind: 'record', collection, key, version, document: { ...clear, ...Object(hidden) } }
  } catch {
    return { kind: 'spoiled', collection, key }
  }
}

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(Buffer.from(base64, 'base64')).buffer

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
