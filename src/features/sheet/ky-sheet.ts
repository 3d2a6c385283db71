/** The paper form KY活動表: the day's dangers, the measures against them, and the participants. */
import { msg } from '@lingui/core/macro'
import type { SheetSpec } from './sheet-spec.ts'

export const kySheet: SheetSpec = {
  name: 'ky',
  heading: msg`KY活動表`,
  fileName: 'KY活動表.jpg',
  rows: {
    label: msg`危険`,
    add: msg`危険を追加`,
    most: 10,
    fields: [
      {
        name: 'danger',
        label: msg`危険のポイント`,
        kind: 'lines',
        max: 200,
        required: true,
        phrases: 'danger',
      },
      {
        name: 'measure',
        label: msg`対策`,
        kind: 'lines',
        max: 200,
        required: true,
        phrases: 'measure',
      },
    ],
  },
  fields: [
    { name: 'leader', label: msg`リーダー`, kind: 'line', max: 120, required: true },
    { name: 'members', label: msg`参加者`, kind: 'lines', max: 600, required: true },
  ],
  startOf: ({ userName }, rowIndex) =>
    rowIndex === undefined ? { leader: userName, members: userName } : {},
  stopsIn: () => [],
  isRepeated: true,
}
