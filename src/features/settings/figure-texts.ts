/** What the field figures are called on screen. */
import { useLingui } from '@lingui/react/macro'
import type { FigureName, FigureUnit, Rating } from '#lib/field-figures.ts'

export function useFigureTexts() {
  const { t } = useLingui()
  const labels: Record<FigureName, string> = {
    INP: t`押してから画面が変わるまで（いちばん遅いとき）`,
    LCP: t`開いてから主な内容が出るまで`,
    CLS: t`表示中の画面のずれ（0に近いほど良い）`,
    'app:first-rows': t`開いてから依頼の一覧が見えるまで`,
    'app:operable': t`開いてから操作できるまで`,
    'app:open-request': t`依頼を押してから開くまで`,
    'app:search': t`検索の条件を変えてから結果が出るまで`,
    'app:save': t`保存を押してから端末に保存するまで`,
    'sync:initial': t`開いてから最新のデータがそろうまで`,
    'sync:round': t`最新のデータの確認`,
    'sync:replay': t`電波が戻ってから送信が終わるまで`,
  }
  return {
    label: (name: FigureName) => labels[name],
    /** A shift is large, not slow. */
    rating(rating: Rating, unit: FigureUnit) {
      if (rating === 'good') return t`良い`
      if (unit === 'score') return rating === 'fair' ? t`やや大きい` : t`大きい`
      return rating === 'fair' ? t`やや遅い` : t`遅い`
    },
    value(value: number, unit: FigureUnit) {
      if (unit === 'score') return value.toFixed(2)
      const seconds = (value / 1_000).toFixed(value < 10_000 ? 2 : 0)
      return t`${seconds}秒`
    },
  }
}
