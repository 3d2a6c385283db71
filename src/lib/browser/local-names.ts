/**
 * All keys that this app writes to localStorage. Browsers write it to disk up to a minute late, so a killed browser may
 * lose these values. Values that must not be lost are device values (`device-values.ts`, decisions/encryption). Each
 * key is listed with what is lost.
 */
export const LOCAL_NAMES = {
  'genba:theme': '選んだ配色',
  'genba:language': '選んだ言語（端末と利用者ごと）',
  'genba:crm': 'どの CRM を最後に見ていたか',
  'genba:app-name': '最初の描画に出すアプリの名前',
  'genba:shell': '最初の描画に枠を出すか',
  'genba:standing': 'ほかの CRM の未送信の数',
  'genba:circuit': 'CRM が待つように言った時間',
  'genba:session-renewed': '閉じる途中のページのトークンの控え（本体は IndexedDB）',
  'genba:lock-seen': '最後に見ていた時刻（なければ早くロックする）',
  'genba:photo-original': '写真を元のサイズで送信',
  'genba:device': '時刻印に付ける端末の番号',
  'genba:stamp': '最後の時刻印（未送信のものから作り直す）',
} as const
