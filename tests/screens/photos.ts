/** The pictures of photos, and of what becomes one: being read, with what is known of them, and large. Each adds to the same form. */
import { addNote, type Shot } from './demo.ts'
import { shareShots } from './shares.ts'
import { sheetShots } from './sheets.ts'
import * as step from './steps.ts'

export const photoShots: readonly Shot[] = [
  {
    name: 'note-add-photo-sources',
    heading: '現場メモ登録',
    at: addNote,
    act: step.all(step.takeCameraPhoto, step.toEnd),
  },
  {
    name: 'note-add-photo-loading',
    heading: '現場メモ登録',
    at: addNote,
    act: step.takeSlowPhoto,
    loading: true,
  },
  {
    name: 'viewer',
    heading: /^写真 \d/,
    at: addNote,
    act: step.all(step.reloaded, step.takeCameraPhoto, step.press('写真2を開く')),
  },
  {
    name: 'viewer-zoomed',
    heading: /^写真 \d/,
    at: addNote,
    act: step.all(step.reloaded, step.press('写真1を開く'), step.press('拡大'), step.press('拡大')),
  },
  {
    name: 'camera',
    heading: 'カメラ',
    at: addNote,
    act: step.all(step.reloaded, step.press('カメラで撮影'), step.takeShot),
  },
  ...sheetShots,
  ...shareShots,
]
