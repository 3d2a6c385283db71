/** Titles by URL path, shown before a screen's code is loaded. `*` matches one path segment. */
const TITLES: readonly (readonly [address: string, title: string])[] = [
  ['/', '依頼検索'],
  ['/request', '依頼検索'],
  ['/request/*', '依頼詳細'],
  ['/report/*', '過去報告'],
  ['/quickReport/add/*', '退館報告登録'],
  ['/quickReport/*', '退館報告詳細'],
  ['/quickReport/*/edit', '退館報告編集'],
  ['/emergencyReport/add/*', '緊急報告登録'],
  ['/emergencyReport/*', '緊急報告一覧'],
  ['/emergencyReport/*/edit', '緊急報告編集'],
  ['/noteLocationArea/add/*', '現場メモ登録'],
  ['/noteLocationArea/*', '現場メモ一覧'],
  ['/noteLocationArea/*/edit', '現場メモ編集'],
  ['/safetyMeasure/select/*', '安全対策選択'],
  ['/safetyMeasure/add', '安全対策登録'],
  ['/safetyMeasure/*', '安全対策詳細'],
  ['/safetyMeasure/*/edit', '安全対策編集'],
  ['/customerLocationChangeRequest/add/*', '入館・駐車場情報変更依頼登録'],
  ['/customerLocationChangeRequest/*', '入館・駐車場情報変更依頼詳細'],
  ['/customerLocationChangeRequest/*/edit', '入館・駐車場情報変更依頼編集'],
  ['/locationContactChangeRequest/add/*/type1', '入館連絡先変更依頼登録'],
  ['/locationContactChangeRequest/add/*/type2', '退館連絡先変更依頼登録'],
  ['/locationContactChangeRequest/*/edit/type1', '入館連絡先変更依頼編集'],
  ['/locationContactChangeRequest/*/edit/type2', '退館連絡先変更依頼編集'],
  ['/locationContactChangeRequest/*/type1', '入館連絡先変更依頼詳細'],
  ['/locationContactChangeRequest/*/type2', '退館連絡先変更依頼詳細'],
  ['/share', '共有された写真'],
  ['/outbox', '送信状況'],
  ['/settings', '設定'],
  ['/settings/figures', '動作状況'],
  ['/settings/support', '支援ファイル'],
  ['/error-logs', 'エラーレポート'],
  ['/verify', '写真の照合'],
]

/** @returns the title of the screen with this path; null if there is no such screen */
export function titleOf(pathname: string): string | null {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/')
  const matches = (address: string) => {
    const segments = address.split('/')
    return (
      segments.length === parts.length &&
      segments.every((part, index) => (part === '*' ? parts[index] !== '' : part === parts[index]))
    )
  }
  return TITLES.find(([address]) => matches(address))?.[1] ?? null
}
