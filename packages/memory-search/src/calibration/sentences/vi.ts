import type { SentenceTriple } from './sentence-triple.js'

/** Vietnamese. */
export const vi: readonly SentenceTriple[] = [
  {
    fact: 'Thảo bị dị ứng với tôm nên không ăn bánh xèo có tôm.',
    paraphrase: 'Vì sao Thảo không ăn bánh xèo có tôm?',
    nearMiss: 'Hùng bị dị ứng với sữa nên chỉ uống cà phê đen.',
  },
  {
    fact: 'Cuộc hẹn với luật sư Quân dời sang 14 giờ ngày 9 tháng 6.',
    paraphrase: 'Ngày 9 tháng 6 mấy giờ gặp luật sư Quân?',
    nearMiss: 'Cuộc hẹn với bác sĩ Mai dời sang 9 giờ ngày 20 tháng 11.',
  },
  {
    fact: 'Hóa đơn 46380 tiền sửa mái nhà vẫn chưa thanh toán.',
    paraphrase: 'Tiền sửa mái nhà theo hóa đơn 46380 đến giờ chưa ai trả.',
    nearMiss: 'Hóa đơn 91257 tiền cắt tỉa vườn đã trả từ tháng trước.',
  },
  {
    fact: 'Anh họ tôi tên Phúc làm lính cứu hỏa ở Đà Nẵng.',
    paraphrase: 'Phúc làm nghề gì ở Đà Nẵng?',
    nearMiss: 'Cô tôi tên Hạnh làm thợ cắm hoa ở Huế.',
  },
  {
    fact: 'Chìa khóa dự phòng của căn nhà nằm trong chậu cây màu xanh.',
    paraphrase: 'Chìa khóa dự phòng để trong chậu nào?',
    nearMiss: 'Chìa khóa xe dự phòng nằm trong ngăn kéo bàn làm việc.',
  },
  {
    fact: 'Nhóm quyết định chuyển máy chủ thanh toán về Hà Nội.',
    paraphrase: 'Máy chủ thanh toán sẽ được nhóm chuyển về Hà Nội.',
    nearMiss: 'Nhóm quyết định gửi ghế cũ vào văn phòng ở Cần Thơ.',
  },
  {
    fact: 'Tháng tám chúng tôi đi Phú Quốc cùng gia đình bác Lâm.',
    paraphrase: 'Chuyến đi Phú Quốc với gia đình bác Lâm là vào tháng mấy?',
    nearMiss: 'Tháng giêng chúng tôi đi Sa Pa cùng gia đình chị Nga.',
  },
  {
    fact: 'Ngọc đang học đàn tranh và sẽ biểu diễn vào tháng mười hai.',
    paraphrase: 'Tháng mười hai Ngọc sẽ lên biểu diễn đàn tranh.',
    nearMiss: 'Tuấn đang học bơi và sẽ thi đấu vào tháng ba.',
  },
]
