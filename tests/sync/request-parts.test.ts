/** A row of the list is kept between two starts without what is known of it twice, and comes back as it was (decision 0115). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Value } from '#data/kept-parts.ts'
import { requestParts } from '#data/request-parts.ts'
import type { ListedRequest } from '#data/request-row.ts'
import { visitKey } from '#schemas/visit-key.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const textOrNull = fc.option(text)
/** As they come, and as a form of a CRM that nobody has seen yet would make them. */
const row: fc.Arbitrary<ListedRequest> = fc
  .record({
    ...{ key: text, id: text, workingDate: text, sortKey: text, requestCode: text, locationName: text },
    ...{ locationAreaId: textOrNull, customerName: textOrNull, orderFlag: textOrNull },
    ...{ emergency: fc.boolean(), workingStartTime: textOrNull, workingEndTime: textOrNull },
    ...{ confirmedAt: text, address: textOrNull, tel: textOrNull },
    quickReport: fc.option(
      fc.record({
        id: text,
        inTime: textOrNull,
        outTime: textOrNull,
        type: textOrNull,
        editStatus: textOrNull,
      }),
    ),
    needs: fc.option(
      fc
        .array(fc.tuple(fc.constantFrom('pastReports', 'noteLocationAreas'), text))
        .map((needs) => needs.map(([collection, owner]) => `prefetch_${collection}_${owner}`)),
    ),
    devices: fc.array(text),
    isUsual: fc.boolean(),
  })
  .map(({ isUsual, ...any }) =>
    isUsual
      ? {
          ...any,
          key: visitKey(any.id, any.workingDate),
          sortKey: `${any.workingDate} ${any.workingStartTime ?? '~'} ${any.id}`,
        }
      : any,
  )

test('[decision 0115] a row comes back as it was kept, whatever its texts are', () => {
  const { toValues, ofValues } = requestParts((each) => each)
  fc.assert(
    fc.property(row, (each) => {
      expect(ofValues(JSON.parse(JSON.stringify(toValues(each))) as Value[])).toEqual(each)
    }),
  )
})
