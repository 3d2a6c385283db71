import { useLingui } from '@lingui/react/macro'
import type { SheetProblem } from './use-sheet-picture.ts'

/** Says why the picture or the input of a paper form was not stored, and what the user can do. */
export function SheetProblemText({ why }: { why: SheetProblem }) {
  const { t } = useLingui()
  const texts = {
    full: t`端末の空き容量が足りません。入力した内容はこの画面に残っています。空きができたら、もう一度操作してください。`,
    failed: t`端末に保存できませんでした。入力した内容はこの画面に残っています。もう一度操作してください。`,
    undrawn: t`写真を作れませんでした。入力した内容は残っています。もう一度押してください。`,
    large: t`写真が上限の大きさを超えたため、追加していません。入力した内容は残っています。`,
  }
  return texts[why]
}
