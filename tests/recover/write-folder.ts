/** What a bundle had, as files that a person can read: `records.json`, and the photos by their names. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { BundleError, type Opened } from './open-bundle.ts'
import { plainly } from './plainly.ts'

export interface Written {
  records: number
  photos: number
  spoiled: number
}

const RECORDS = 'records.json'
const PHOTO_FOLDER = 'photos'

/** @param folder must not be there yet @throws where it is; what `opened` throws, once all before it is written */
export async function writeFolder(folder: string, opened: AsyncIterable<Opened>): Promise<Written> {
  const records: Extract<Opened, { kind: 'record' }>[] = []
  const spoiled: { collection: string; key: string }[] = []
  const photos: { key: string; file: string; origin?: unknown }[] = []
  const write = () => {
    const named = photos.map((photo) => ({ ...photo, ...nameOf(photo.key, records) }))
    const all = {
      sender: 'unproven',
      records: records.map(({ collection, key, version, document }) => ({
        collection,
        key,
        version,
        document,
      })),
      photos: named,
      spoiled,
    }
    return writeFile(join(folder, RECORDS), plainly(`${JSON.stringify(all, null, 2)}\n`))
  }
  let isMade = false
  try {
    for await (const each of opened) {
      if (!isMade) await mkdir(join(await made(folder), PHOTO_FOLDER))
      isMade = true
      if (each.kind === 'record') records.push(each)
      else if (each.kind === 'spoiled') spoiled.push({ collection: each.collection, key: each.key })
      else {
        const file = join(PHOTO_FOLDER, `${photos.length + 1}.${endingOf(each.bytes)}`)
        await writeFile(join(folder, file), new Uint8Array(each.bytes))
        photos.push({ key: each.key, file, ...(each.origin !== undefined && { origin: each.origin }) })
      }
    }
  } finally {
    if (isMade) await write()
  }
  return { records: records.length, photos: photos.length, spoiled: spoiled.length }
}

/** For whoever runs it alone. */
async function made(folder: string): Promise<string> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const isThere = Reflect.get(Object(error), 'code') === 'EEXIST'
    throw isThere
      ? new BundleError(`${folder} がもうあります。移すか消してから、もう一度実行してください。`)
      : error
  }
  return folder
}

/** Said beside the file: a name that somebody typed is no path. */
function nameOf(key: string, records: readonly { collection: string; key: string; document: object }[]) {
  const record = records.find((each) => each.collection === PHOTOS && each.key === key)
  const name: unknown = record && Reflect.get(record.document, 'name')
  return typeof name === 'string' ? { name } : {}
}

const PNG = 0x89

const endingOf = (bytes: ArrayBuffer): string => (new Uint8Array(bytes)[0] === PNG ? 'png' : 'jpg')
