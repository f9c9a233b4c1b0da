import { describe, expect, test } from 'vitest'
import { guessType } from '#lib/domain/datasets/column-type'
import { columnNames } from '#lib/domain/datasets/columns'
import { suggestMapping } from '#lib/domain/datasets/mapping'

const suggest = (header: string[], ...rows: string[][]) => {
  const nameOf = columnNames(header)
  return suggestMapping(
    header.map((_, index) => {
      const values = rows.map((row) => row[index] ?? '')
      return { name: nameOf(index), type: guessType(values), values }
    }),
  )
}

describe('the mapping is suggested by header', () => {
  test.each<[string, string[], string[]]>([
    [
      'English',
      [
        'First Name',
        'Last Name',
        'E-mail',
        'Company',
        'Job Title',
        'Phone',
        'Website',
        'LinkedIn',
        'City',
        'Country',
        'Time zone',
      ],
      [
        'first_name',
        'last_name',
        'email',
        'company',
        'title',
        'phone',
        'website',
        'linkedin_url',
        'city',
        'country',
        'timezone',
      ],
    ],
    [
      'German',
      [
        'Vorname',
        'Nachname',
        'E-Mail-Adresse',
        'Firma',
        'Position',
        'Telefon',
        'Webseite',
        'Ort',
        'Land',
        'Zeitzone',
      ],
      [
        'first_name',
        'last_name',
        'email',
        'company',
        'title',
        'phone',
        'website',
        'city',
        'country',
        'timezone',
      ],
    ],
    ['German with Name for the last name', ['Vorname', 'Name', 'Mail'], ['first_name', 'last_name', 'email']],
    [
      'French',
      [
        'Prénom',
        'Nom',
        'Courriel',
        'Entreprise',
        'Poste',
        'Téléphone',
        'Site web',
        'Ville',
        'Pays',
        'Fuseau horaire',
      ],
      [
        'first_name',
        'last_name',
        'email',
        'company',
        'title',
        'phone',
        'website',
        'city',
        'country',
        'timezone',
      ],
    ],
    [
      'Spanish',
      ['Nombre', 'Apellidos', 'Correo electrónico', 'Empresa', 'Cargo', 'Teléfono', 'Ciudad', 'País'],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'city', 'country'],
    ],
    ['Spanish full name', ['Nombre', 'Correo'], ['full_name', 'email']],
    [
      'Italian',
      ['Nome', 'Cognome', 'Indirizzo e-mail', 'Azienda', 'Ruolo', 'Telefono', 'Sito web', 'Città', 'Paese'],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'website', 'city', 'country'],
    ],
    [
      'Portuguese',
      ['Nome', 'Sobrenome', 'E-mail', 'Empresa', 'Cargo', 'Celular', 'Cidade', 'País', 'Fuso horário'],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'city', 'country', 'timezone'],
    ],
    [
      'Polish',
      [
        'Imię',
        'Nazwisko',
        'Adres e-mail',
        'Nazwa firmy',
        'Stanowisko',
        'Numer telefonu',
        'Strona WWW',
        'Miasto',
        'Kraj',
      ],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'website', 'city', 'country'],
    ],
    [
      'Russian',
      [
        'Имя',
        'Фамилия',
        'Электронная почта',
        'Компания',
        'Должность',
        'Телефон',
        'Сайт',
        'Город',
        'Страна',
        'Часовой пояс',
      ],
      [
        'first_name',
        'last_name',
        'email',
        'company',
        'title',
        'phone',
        'website',
        'city',
        'country',
        'timezone',
      ],
    ],
    ['Russian full name', ['ФИО', 'Почта'], ['full_name', 'email']],
    [
      'Chinese',
      ['姓名', '邮箱', '公司', '职位', '手机', '网站', '城市', '国家', '时区'],
      ['full_name', 'email', 'company', 'title', 'phone', 'website', 'city', 'country', 'timezone'],
    ],
    [
      'Japanese',
      [
        '姓',
        '名',
        'メールアドレス',
        '会社名',
        '役職',
        '電話番号',
        'ホームページ',
        '都市',
        '国',
        'タイムゾーン',
      ],
      [
        'last_name',
        'first_name',
        'email',
        'company',
        'title',
        'phone',
        'website',
        'city',
        'country',
        'timezone',
      ],
    ],
    [
      'Korean',
      ['이름', '이메일', '회사명', '직책', '전화번호'],
      ['full_name', 'email', 'company', 'title', 'phone'],
    ],
    [
      'Dutch',
      ['Voornaam', 'Achternaam', 'E-mailadres', 'Bedrijf', 'Functie'],
      ['first_name', 'last_name', 'email', 'company', 'title'],
    ],
    [
      'Turkish',
      ['Ad', 'Soyad', 'E-posta', 'Şirket', 'Ünvan', 'Telefon', 'Şehir', 'Ülke'],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'city', 'country'],
    ],
    [
      'programs',
      [
        'firstName',
        'last_name',
        'emailAddress',
        'companyName',
        'jobTitle',
        'phoneNumber',
        'linkedinUrl',
        'timeZone',
      ],
      ['first_name', 'last_name', 'email', 'company', 'title', 'phone', 'linkedin_url', 'timezone'],
    ],
  ])('%s', (_, header, fields) => {
    expect(suggest(header)).toEqual(Object.fromEntries(header.map((name, index) => [name, fields[index]])))
  })
})
