/** Who is told of the writes of a store, by several tabs in whatever order, knows how far it knows them (decision 0115). */
import fc from 'fast-check'
import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { type Counted, knownWrites } from '#data/storage/write-stand.ts'

test('[decision 0115] whoever is told of writes knows all up to one exactly when each was told, in whatever order', () => {
  const orders = fc
    .uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 8 })
    .chain((counts) => fc.tuple(fc.constant(counts), fc.nat(counts.length)))
  fc.assert(
    fc.property(fc.nat(4), orders, (from, [told, before]) => {
      const changes$ = new Subject<Counted>()
      const writes = knownWrites({ storageInstance: { changeStream: () => changes$ } } as never)
      const stand = (count: number) => ({ count, last: `w${count}` })
      const tell = (count: number) => changes$.next({ stand: stand(count) })
      for (const count of told.slice(0, before)) tell(count)
      writes.from(stand(from))
      for (const count of told.slice(before)) tell(count)
      let reached = from
      while (told.includes(reached + 1)) reached += 1
      for (let count = 0; count <= 9; count += 1) expect(writes.reach(stand(count))).toBe(count === reached)
      // a write of that number that was lost, and made anew
      expect(writes.reach({ count: reached, last: 'another' })).toBe(false)
      writes.stop()
    }),
  )
})
