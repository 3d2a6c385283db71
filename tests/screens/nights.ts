/** The pictures of a night. They come last: the clock goes on, and does not go back. */
import type { Shot } from './demo.ts'
import * as step from './steps.ts'

export const nightShots: readonly Shot[] = [
  {
    name: 'request-night',
    heading: '依頼検索',
    at: '/request',
    // of the day that the clock has come to
    act: step.all(step.nothingUnsent, step.openFreeRow, step.enter, step.entered, step.night),
  },
  {
    name: 'request-night-lower',
    heading: '依頼検索',
    at: '/request',
    act: step.toEnd,
  },
  {
    name: 'request-view-still-inside',
    heading: '依頼詳細',
    at: '/request',
    act: step.openRow('退館していません'),
  },
  {
    name: 'popup-entry-night',
    heading: '入館登録',
    at: '/request',
    act: step.all(step.openRow('昨日から', /入館 \d/), step.press('入館登録'), step.choose('時刻を指定')),
  },
  {
    name: 'popup-entry-too-early',
    heading: '入館登録',
    at: '/request',
    act: step.all(step.press('明日'), step.openRow(''), step.press('入館登録')),
  },
]
