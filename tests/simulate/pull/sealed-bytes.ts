/** The bytes of photos on a phone whose stores are sealed: as the shipped table lays them, each sealed in its place. */
import { photoPlace, type PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { PagePort, PhotoTables } from './page-port.ts'
import { bytesWritten } from './phone-disk.ts'

export function sealedBytes(
  port: PagePort,
  { bytes: rows, info }: PhotoTables,
  sealer: Sealer,
): PhotoBytesTable {
  const { diskName, now } = port
  const placeOf = (key: string) => photoPlace(diskName, 'bytes', key)
  const write = async (size?: number) => port.storage('write', 'bytes', bytesWritten(size))
  const remove = (key: string) => [rows, info].forEach((table) => table.delete(key))
  const cached = () => [...info.values()].filter((row) => row.cached === 1)
  return {
    async put(key, bytes, options = {}) {
      const sealed = await sealer.sealBytes(placeOf(key), bytes)
      await write(bytes.byteLength)
      const at = now()
      info.set(key, { key, putAt: at, usedAt: at, size: bytes.byteLength, cached: options.cached ? 1 : 0 })
      rows.set(key, { key, bytes: sealed })
    },
    async get(key) {
      await port.storage('read', 'bytes')
      const row = rows.get(key)
      return row && sealer.openBytes(placeOf(key), row.bytes)
    },
    thumb: async () => undefined,
    origin: async () => undefined,
    setOrigin: async () => undefined,
    setThumb: async () => undefined,
    async remove(key) {
      await write()
      remove(key)
    },
    async release(key) {
      await write()
      const row = info.get(key)
      if (row) info.set(key, { ...row, cached: 1 })
    },
    async keys(putBefore) {
      await port.storage('read', 'bytes')
      return [...info.values()].filter(({ putAt }) => putAt < putBefore).map(({ key }) => key)
    },
    cachedBytes: async () => cached().reduce((sum, { size }) => sum + size, 0),
    async dropCached() {
      await write()
      for (const { key } of cached()) remove(key)
    },
    close: () => undefined,
  }
}
