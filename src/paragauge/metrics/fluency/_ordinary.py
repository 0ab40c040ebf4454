"""Ordinary English sentences of many kinds: along them a language model shows how common it finds each token."""

ORDINARY = """\
The council voted on Tuesday to close two of the city's oldest libraries before the end of the year.
How do I get a refund if my train was more than an hour late?
She opened the window, looked down at the street and waited for him to wave.
Shares in the company fell by 4.2% after it said that sales in Asia had been weaker than expected.
Mix the flour with a pinch of salt, add the eggs one at a time and stir until the dough is smooth.
I have no idea what you are talking about, but I would love to hear more!
In 1998 the two sides signed an agreement that ended nearly thirty years of violence.
A man in a red jacket is riding a bicycle down a hill while a dog runs beside him.
What is the best way to learn a new language on your own?
The results show that the method works well on small data sets, but not when there are many classes.
"It's not fair," said the boy, and he threw his bag on the floor.
Please send us your name, address and a copy of the receipt, and we will reply within five days.
The river rises in the mountains of the north and flows for about 300 miles to the sea.
They were 2-0 down at half time, yet they went on to win the match with a late goal.
Can anyone tell me why my phone gets so hot when I play games?
Police are looking for a woman who was last seen near the station on Friday night.
If you heat the gas, its pressure grows as long as the volume stays the same.
My parents moved to this country before I was born, so I never met my grandparents.
The film is far too long, the jokes are old, and still I could not stop laughing.
New research suggests that people who sleep less than six hours are more likely to catch a cold.
Two children are sitting on the grass and eating ice cream.
The president told reporters that he would not change his mind about the law.
You should always ask your doctor before you take any other medicine with this one.
There are several reasons for this, and the most important of them is money.
lol that was so good, can't wait for the next one
Is it possible to change the name of a file without opening it?
The church was built in the 12th century and is now used as a museum of local history.
We are pleased to offer you the position and hope that you will join our team in May.
He could hear the wind in the trees and, somewhere far away, the sound of a bell.
The government has been under pressure to do more for small firms and their workers.
"""
