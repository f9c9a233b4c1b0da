import { withoutAccents } from '#lib/domain/datasets/columns'
import { LEAD_FIELDS, type LeadField } from '#lib/domain/datasets/lead-fields'

/** The names of each field in headers, separated by `|`, one line per family of languages. Compared by `headerKey`. */
const NAMES: Record<LeadField, string> = {
  email:
    'email|e-mail|mail|email address|e-mail address|mail address|emailadresse|e-mail-adresse|mailadresse|email id|emails|primary email|work email|business email|contact email|personal email|company email|' +
    'courriel|adresse e-mail|adresse email|adresse mail|adresse courriel|adresse électronique|mél|correo|correo electrónico|email correo|dirección de correo|dirección de correo electrónico|indirizzo email|indirizzo e-mail|indirizzo di posta elettronica|posta elettronica|' +
    'endereço de email|endereço de e-mail|correio eletrónico|correio eletrônico|adres e-mail|adres email|poczta elektroniczna|e-mailadres|emailadres|e-postadress|e-post|epost|epostadresse|sähköposti|sähköpostiosoite|e-mailová adresa|e-mail cím|e-posta|eposta|e-posta adresi|adresă de email|địa chỉ email|alamat email|surel|' +
    'почта|эл. почта|электронная почта|адрес электронной почты|имейл|емейл|е-мейл|e-mail адрес|електронна пошта|пошта|имейл адрес|ηλεκτρονικό ταχυδρομείο|דואל|דוא"ל|אימייל|البريد الإلكتروني|بريد إلكتروني|الايميل|ईमेल|อีเมล|' +
    '邮箱|电子邮件|电子邮箱|邮件|邮箱地址|邮件地址|電子郵件|電子信箱|信箱|メール|メールアドレス|eメール|電子メール|이메일|이메일 주소|메일',
  first_name:
    'first name|firstname|first|fname|given name|givenname|given names|forename|christian name|contact first name|lead first name|vorname|rufname|prénom|prénoms|nombre de pila|primer nombre|nome proprio|nome próprio|primeiro nome|imię|voornaam|förnamn|fornavn|etunimi|křestní jméno|jméno|krstné meno|meno|keresztnév|utónév|isim|prenume|' +
    "имя|ім'я|ім’я|собствено име|όνομα|שם פרטי|الاسم الأول|पहला नाम|ชื่อจริง|名|ファーストネーム|이름(명)|tên",
  last_name:
    'last name|lastname|last|lname|surname|sur name|family name|familyname|contact last name|lead last name|nachname|familienname|zuname|nom de famille|apellido|apellidos|primer apellido|cognome|sobrenome|apelido|último nome|nazwisko|achternaam|efternamn|etternavn|efternavn|sukunimi|příjmení|priezvisko|vezetéknév|családnév|soyad|soyadı|soyisim|nume de familie|' +
    'фамилия|прізвище|επώνυμο|επίθετο|שם משפחה|اسم العائلة|اللقب|कुलनाम|นามสกุล|姓|姓氏|苗字|ラストネーム|성|họ',
  full_name:
    'name|full name|fullname|contact|contact name|contact person|person|person name|lead name|lead|prospect|prospect name|customer name|display name|ansprechpartner|ansprechperson|kontakt|kontaktperson|vollständiger name|vor- und nachname|name vorname|nom|nom complet|nom et prénom|prénom et nom|contacto|nombre|nombre completo|nombre y apellidos|persona de contacto|' +
    'nome|nome completo|nome e cognome|contatto|referente|nome e sobrenome|contato|imię i nazwisko|osoba kontaktowa|naam|volledige naam|contactpersoon|namn|navn|fullt navn|fulde navn|nimi|koko nimi|celé jméno|jméno a příjmení|meno a priezvisko|név|teljes név|ad soyad|adı soyadı|ad|nume|nume complet|nume și prenume|họ và tên|họ tên|nama|nama lengkap|' +
    'фио|ф.и.о.|полное имя|имя и фамилия|контактное лицо|контакт|піб|повне ім’я|име|ονοματεπώνυμο|שם|שם מלא|الاسم|الاسم الكامل|नाम|पूरा नाम|ชื่อ|ชื่อ-นามสกุล|姓名|名字|联系人|全名|聯絡人|氏名|名前|お名前|フルネーム|担当者|担当者名|이름|성명|담당자|담당자명',
  company:
    'company|company name|companyname|organization|organisation|organization name|organisation name|org|account|account name|employer|business|business name|firm|firma|firmenname|unternehmen|unternehmensname|arbeitgeber|gesellschaft|entreprise|société|nom de l’entreprise|nom de la société|raison sociale|empresa|nombre de la empresa|compañía|organización|' +
    'azienda|nome azienda|società|ditta|ragione sociale|nome da empresa|companhia|organização|nazwa firmy|przedsiębiorstwo|bedrijf|bedrijfsnaam|organisatie|företag|företagsnamn|bolag|virksomhed|selskap|bedrift|yritys|yrityksen nimi|společnost|název firmy|spoločnosť|cég|cégnév|vállalat|şirket|şirket adı|companie|công ty|perusahaan|' +
    'компания|организация|фирма|название компании|компанія|організація|фирма име|εταιρεία|εταιρία|חברה|שם החברה|الشركة|اسم الشركة|कंपनी|บริษัท|公司|公司名称|企业|企业名称|单位|公司名稱|会社|会社名|企業名|社名|法人名|회사|회사명|기업명',
  title:
    'title|job title|jobtitle|position|job|role|job role|function|designation|occupation|headline|job position|berufsbezeichnung|stelle|stellenbezeichnung|funktion|rolle|beruf|jobtitel|poste|fonction|intitulé de poste|intitulé du poste|titre|métier|cargo|puesto|puesto de trabajo|posición|título|ruolo|posizione|mansione|qualifica|função|posição|' +
    'stanowisko|stanowisko pracy|functie|functietitel|titel|befattning|yrkestitel|stilling|stillingsbetegnelse|tehtävänimike|titteli|pozice|funkce|pozícia|funkcia|beosztás|munkakör|unvan|ünvan|pozisyon|görev|funcție|funcția|chức vụ|chức danh|jabatan|должность|позиция|посада|длъжност|θέση|תפקיד|المسمى الوظيفي|المنصب|पद|ตำแหน่ง|职位|职务|职称|岗位|職位|職稱|役職|肩書き|肩書|職種|직책|직위|직함',
  phone:
    'phone|phone number|phonenumber|telephone|telephone number|tel|tel.|tel no|mobile|mobile phone|mobile number|cell|cell phone|cellphone|cell number|direct phone|work phone|work direct phone|business phone|direct dial|contact number|telefon|telefonnummer|tel.-nr.|rufnummer|handy|handynummer|mobil|mobilnummer|mobiltelefon|festnetz|téléphone|numéro de téléphone|portable|téléphone portable|tél|tél.|' +
    'teléfono|número de teléfono|móvil|celular|telefono|numero di telefono|cellulare|telefone|número de telefone|telemóvel|numer telefonu|telefon komórkowy|komórka|telefoonnummer|telefoon|mobiel|mobielnummer|puhelin|puhelinnumero|matkapuhelin|telefonní číslo|mobilní telefon|telefónne číslo|telefonszám|telefon numarası|cep telefonu|cep|điện thoại|số điện thoại|nomor telepon|telepon|no hp|' +
    'телефон|номер телефона|мобильный|мобильный телефон|моб. телефон|номер телефону|τηλέφωνο|κινητό|טלפון|נייד|الهاتف|رقم الهاتف|الجوال|फ़ोन|फोन|मोबाइल|โทรศัพท์|เบอร์โทร|เบอร์โทรศัพท์|电话|电话号码|手机|手机号|手机号码|联系电话|電話|電話號碼|電話番号|携帯|携帯電話|携帯番号|전화|전화번호|휴대폰|휴대전화|핸드폰|연락처',
  website:
    'website|web site|web|url|site|homepage|home page|domain|domain name|company website|company domain|company url|website url|web address|webseite|webadresse|internetseite|internetadresse|internet|site web|site internet|página web|sitio web|web de la empresa|sito|sito web|sito internet|site da empresa|página|strona|strona www|strona internetowa|www|adres www|webbplats|hemsida|hjemmeside|nettside|nettsted|verkkosivu|kotisivu|webová stránka|webové stránky|weboldal|honlap|web sitesi|web adresi|trang web|situs web|' +
    'сайт|веб-сайт|вебсайт|домен|веб-сайт компании|уебсайт|ιστοσελίδα|ιστότοπος|אתר|אתר אינטרנט|الموقع|الموقع الإلكتروني|वेबसाइट|เว็บไซต์|网站|网址|官网|公司网站|網站|網址|ウェブサイト|ホームページ|サイト|hp|웹사이트|홈페이지',
  linkedin_url:
    'linkedin|linked in|linkedin url|linkedin profile|linkedin profile url|linkedin link|person linkedin url|personal linkedin|contact linkedin|contact linkedin url|linkedin address|li url|li profile|linkedin-profil|linkedin profil|profil linkedin|url linkedin|lien linkedin|perfil de linkedin|perfil linkedin|enlace linkedin|profilo linkedin|linkedin profiel|linkedin member url|профиль linkedin|линкедин|領英|领英|领英链接|linkedinプロフィール|링크드인',
  city: 'city|town|city name|location city|person city|contact city|stadt|ort|wohnort|standort|ville|commune|localité|ciudad|localidad|población|città|comune|località|cidade|localidade|município|miasto|miejscowość|stad|plaats|woonplaats|ort/stadt|by|kaupunki|paikkakunta|město|mesto|obec|város|település|şehir|il|oraș|localitate|thành phố|kota|город|населенный пункт|місто|град|πόλη|עיר|المدينة|مدينة|शहर|เมือง|城市|市|所在城市|市区町村|都市|都市名|도시|시',
  country:
    'country|country name|country code|nation|country/region|country region|person country|contact country|land|staat|pays|país|paese|nazione|stato|kraj|państwo|maa|země|stát|krajina|štát|ország|ülke|țara|țară|quốc gia|negara|страна|країна|държава|χώρα|מדינה|ארץ|البلد|الدولة|देश|ประเทศ|国家|国家/地区|國家|国|国名|국가|나라',
  timezone:
    'timezone|time zone|tz|iana timezone|iana time zone|person timezone|contact timezone|zeitzone|fuseau horaire|fuseau|zona horaria|huso horario|fuso orario|fuso horário|strefa czasowa|tijdzone|tidszon|tidszone|tidssone|aikavyöhyke|časové pásmo|időzóna|saat dilimi|fus orar|múi giờ|zona waktu|часовой пояс|часовий пояс|часова зона|ζώνη ώρας|אזור זמן|المنطقة الزمنية|समय क्षेत्र|เขตเวลา|时区|時區|タイムゾーン|時間帯|시간대',
}

/** Header text without case, accents, blanks and punctuation: "E-Mail Address " and "emailAddress" are equal. */
export function headerKey(text: string): string {
  return withoutAccents(text.normalize('NFKC').toLowerCase())
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

const FIELD_BY_KEY = new Map<string, LeadField>()
for (const field of LEAD_FIELDS) {
  for (const name of [field, ...NAMES[field].split('|')]) {
    const key = headerKey(name)
    if (!FIELD_BY_KEY.has(key)) FIELD_BY_KEY.set(key, field)
  }
}

/** The field that a header names exactly, in any of the supported languages. */
export function fieldNamed(header: string): LeadField | null {
  return FIELD_BY_KEY.get(headerKey(header)) ?? null
}

const HINTS: { field: LeadField; says: RegExp; unless: RegExp }[] = [
  {
    field: 'linkedin_url',
    says: /linked ?in/,
    unless: /company|firm|account|organi|sales nav|id$|follow|connection/,
  },
  {
    field: 'email',
    says: /(^| )e? ?mails?( |$)|email/,
    unless:
      /status|verif|valid|open|sent|send|date|count|template|subject|opt|consent|domain|type|provider|confidence|source|catch|for emails|second|other|alternat|tertiary/,
  },
  {
    field: 'phone',
    says: /phone|mobile|telefon|(^| )tel( |$)/,
    unless: /type|status|ext|company|corporate|fax|other|home/,
  },
  {
    field: 'first_name',
    says: /first ?name|given ?name|vorname|prenom/,
    unless: /last|company|spouse|nachname/,
  },
  {
    field: 'last_name',
    says: /last ?name|surname|family ?name|nachname/,
    unless: /first|company|spouse|vorname/,
  },
  { field: 'title', says: /job title|(^| )position( |$)|job role/, unless: /company|level|date|id$/ },
  {
    field: 'company',
    says: /company name|(^| )firma( |$)|organi[sz]ation name|employer name/,
    unless: /for emails|parent|id$/,
  },
  { field: 'website', says: /website|homepage|web ?site/, unless: /visit|status|form/ },
  { field: 'timezone', says: /time ?zone/, unless: /offset/ },
]

/** A weaker match: the header mentions the field among other words ("Contact e-mail (work)"). */
export function fieldHinted(header: string): LeadField | null {
  const words = withoutAccents(
    header
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .normalize('NFKC')
      .toLowerCase(),
  )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (words.length > 60) return null
  return HINTS.find((hint) => hint.says.test(words) && !hint.unless.test(words))?.field ?? null
}
