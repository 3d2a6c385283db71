/** The files of what phones have stored, one for each layout of the collections there ever was (`stored-layouts.ts`). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StorageDump } from './storage-dump.ts'

const FOLDER = join(import.meta.dirname, '../sync/fixtures')
const NAME = /^layout-(\d+)\.json$/
export interface StoredFile {
  /** From 0, in the order in which they were. */
  number: number
  /** The schema of each collection. */
  schemas: Readonly<Record<string, { version: number }>>
  /** The storage, as `dumpStorage` writes it. */
  text: string
}

interface StoredSchema {
  name: string
  version: number
  schema: object
}

/** A file as it lies in the folder. */
interface Stored {
  schemas: StoredFile['schemas']
  storage: StorageDump
}

export const storedFiles = (): StoredFile[] =>
  readdirSync(FOLDER)
    .flatMap((file) => {
      const [, number] = NAME.exec(file) ?? []
      if (number === undefined) return []
      const { schemas, storage } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Stored
      return { number: Number(number), schemas, text: JSON.stringify(storage) }
    })
    .toSorted((a, b) => a.number - b.number)

export function storeFile({ number, schemas, text }: StoredFile): void {
  const stored: Stored = { schemas, storage: JSON.parse(text) as StorageDump }
  writeFileSync(join(FOLDER, `layout-${number}.json`), `${JSON.stringify(stored)}\n`)
}

/** The schema of each collection, by name. */
export const schemasIn = ({ schemas }: StoredFile): Map<string, StoredSchema> =>
  new Map(Object.entries(schemas).map(([name, schema]) => [name, { name, version: schema.version, schema }]))
