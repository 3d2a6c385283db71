/** 黒板 on a picture is for the customer: in Japanese, while its panel is in the language of the interface. */
import { msg } from '@lingui/core/macro'
import { expect, test, vi } from 'vitest'
import { BoardPanel, useDrawnLabels } from '#features/camera/board-panel.tsx'
import type { PhotoBoard } from '#lib/image/marks.ts'
import { i18n } from '../../support/i18n.ts'
import { renderFeature } from '../../support/render-feature.tsx'
import { speak } from '../../support/speak.ts'

test('labels that are drawn, and states that are chosen, are Japanese', async () => {
  await speak('vi')
  const texts = { code: '', place: '', device: '', work: '', day: '', state: '', note: '' }
  const board: PhotoBoard = { isShown: true, corner: 'bottom-left', texts }
  const onChange = vi.fn<(board: PhotoBoard) => void>()
  const drawn: string[] = []
  function Probe() {
    drawn.splice(0, drawn.length, ...Object.values(useDrawnLabels()))
    return <BoardPanel board={board} onChange={onChange} />
  }
  const { screen, user } = await renderFeature(<Probe />, { path: '/request' })
  expect(drawn).toEqual(['依頼番号', '現場', '機器', '作業', '日付', '状態', '備考'])
  await user.click(screen.getByLabelText(i18n._(msg`作業中`)))
  expect(onChange).toHaveBeenCalledWith({ ...board, texts: { ...texts, state: '作業中' } })
})
