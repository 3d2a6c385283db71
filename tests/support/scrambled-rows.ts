/** A codec for tests: what need not lie in clear lies in one field, unreadable, and both ways take a turn of the loop. */
import { setImmediate } from 'node:timers/promises'
import type { CodecFor, Row } from '#data/storage/docs-table.ts'

const SEALED = 'sealed'

export const scrambled: CodecFor = ({ clear }) => {
  const split = (row: Row, isClear: boolean) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => clear.has(name) === isClear))
  return {
    async encode(rows) {
      await setImmediate()
      return rows.map((row) => {
        const sealed = Buffer.from(JSON.stringify(split(row, false))).toString('base64')
        return { ...split(row, true), [SEALED]: sealed } as unknown as Row
      })
    },
    async decode(rows) {
      await setImmediate()
      return rows.map(({ [SEALED]: sealed, ...row }) => {
        const hidden = JSON.parse(Buffer.from(String(sealed), 'base64').toString()) as object
        return { ...row, ...hidden } as Row
      })
    },
  }
}
